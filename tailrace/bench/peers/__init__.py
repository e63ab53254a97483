"""Peers: Tailrace beside another stream processor, Flink SQL, over the same files in the same run."""
