"""File names: the one rule by which a name that somebody chose becomes part of a path.

Names of queries and sources are free: in backticks a name may hold slashes, be `..`, or have a thousand letters. A file
or folder that is called after one takes its name from `file_name_of`.
"""

from __future__ import annotations

from hashlib import sha256

# What separates folders, what patterns of Hadoop are made of, what Hadoop takes for a scheme, and the escape itself.
SPECIAL = frozenset("/\\*?[]{}:%")
LONGEST = 150  # bytes, which leaves room for a batch's number, a run's name and an ending in a name of 255 bytes


def file_name_of(name: str) -> str:
    """The name as one harmless part of a path; different names stay different, and usual ones are as they were.

    Special characters become their bytes as `%2F`. So do characters that cannot be printed and a dot in front. What is
    too long then is cut, and ends with a hash of the whole name.

    >>> [file_name_of(name) for name in ("counts", "größte 3", "tailrace.batches", "../../x", "..", "50%", "a\\0b")]
    ['counts', 'größte 3', 'tailrace.batches', '%2E.%2F..%2Fx', '%2E.', '50%25', 'a%00b']
    >>> file_name_of("x" * 1000)[-20:]
    'xx%~44f8354494a5ba03'
    """
    found = "".join(escape(char) if char in SPECIAL or not char.isprintable() else char for char in name)
    if found.startswith("."):
        found = f"%2E{found[1:]}"
    encoded = found.encode("utf-8", "surrogatepass")
    if 0 < len(encoded) <= LONGEST:
        return found
    # No other name has `%~` in it: a percent sign of a name is escaped.
    whole = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{encoded[:LONGEST].decode('utf-8', 'ignore')}%~{whole[:16]}"


def escape(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogatepass"))
