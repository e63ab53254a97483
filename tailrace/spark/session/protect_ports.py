"""Protect ports: keeps other users of a machine from the ports at which Spark and this process listen for each other.

All of them are at the loopback address, which every user of the machine can reach.

| port | who connects | what protects it |
|---|---|---|
| the driver's, its block manager's | executors; on a local master nobody | `spark.authenticate` |
| Java's gateway | this process | a token that Py4J makes |
| this process's callback server | Java, for each batch | a token, from `protect_callbacks` on |
| the accumulators' server | Java, after each task | a token that PySpark makes |
"""

from __future__ import annotations

import secrets
from typing import Any

from pyspark.java_gateway import ensure_callback_server_started
from pyspark.sql import SparkSession

# On a local master, and on Yarn and Kubernetes if somebody asks for it there, Spark makes up the secret itself.
AUTHENTICATED = {"spark.authenticate": "true"}


def protect_callbacks(spark: SparkSession) -> None:
    """Have the callback server of this process ask for a token, and Java send it.

    PySpark starts that server without one: whoever connected could call the functions that Spark calls for each batch.
    """
    gateway: Any = spark.sparkContext._gateway
    if gateway.python_parameters.auth_token is not None:
        return
    ensure_callback_server_started(gateway)
    token = secrets.token_urlsafe(24)
    # Java's side had a token, and loses it when it is told the port; Py4J has no call to set another one.
    client = gateway.java_gateway_server.getCallbackClient()
    field = client.getClass().getSuperclass().getDeclaredField("authToken")
    field.setAccessible(True)
    field.set(client, token)
    gateway.python_parameters.auth_token = token
