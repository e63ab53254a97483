"""Store: a folder of files that every worker can reach, named by an address.

A plain path and a `file://` address are a folder of this machine, or one that is mounted on all machines: it is read in
place. Any other address (`hdfs://`, `s3a://`, `gs://`) is a folder of a file system of pyarrow's: files that never
change are fetched once and kept in a cache on this machine's disk.

Whoever writes gives a file a name of its own, so that a file is there whole or nobody refers to it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tailrace.errors import RunError

# As pyarrow calls what Hadoop calls otherwise.
SCHEMES = {"s3a": "s3", "s3n": "s3"}
UNUSED = 3600.0  # seconds after which what is cached of a folder goes, if nobody looked at it


class Storage(ABC):
    """A folder: small files that are read and written whole, and large ones that never change."""

    @property
    @abstractmethod
    def address(self) -> str:
        """What names it on all machines."""

    @property
    def for_spark(self) -> str:
        """What names it to Spark."""
        return self.address

    @abstractmethod
    def below(self, name: str) -> Storage:
        """A folder in it."""

    @abstractmethod
    def make(self) -> None:
        """Have it there."""

    @abstractmethod
    def names(self) -> list[str]:
        """What is in it; nothing if it is not there."""

    @abstractmethod
    def read(self, name: str) -> bytes | None:
        """The content of a file, None if there is none."""

    @abstractmethod
    def write(self, name: str, content: bytes) -> None:
        """A small file in place of the one of that name: the whole of it or none."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """A file, if it is there."""

    @abstractmethod
    def staging_path(self, name: str) -> Path:
        """Where on this machine to write a file that `publish` then puts in place."""

    @abstractmethod
    def publish(self, name: str) -> None:
        """Put a file in place that was written aside."""

    @abstractmethod
    def local(self, name: str) -> Path:
        """A file that never changes, on this machine."""

    @abstractmethod
    def has(self, name: str) -> bool:
        """Whether a file that never changes is still at hand."""

    @abstractmethod
    def clear(self) -> None:
        """Remove all of it."""

    @abstractmethod
    def drop_cached_except(self, wanted: Collection[str]) -> None:
        """Only these files will be wanted again on this machine."""


@dataclass(frozen=True)
class LocalStorage(Storage):
    """A folder that is read in place."""

    path: Path

    @property
    def address(self) -> str:
        return str(self.path)

    @property
    def for_spark(self) -> str:
        # A path alone would be one of the cluster's own file system.
        return f"file:{self.path}"

    def below(self, name: str) -> LocalStorage:
        return LocalStorage(self.path / name)

    def make(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)

    def names(self) -> list[str]:
        return os.listdir(self.path) if self.path.is_dir() else []

    def read(self, name: str) -> bytes | None:
        try:
            return (self.path / name).read_bytes()
        except FileNotFoundError:
            return None

    def write(self, name: str, content: bytes) -> None:
        aside = self.path / f"{name}.{uuid.uuid4().hex}"
        aside.write_bytes(content)
        aside.replace(self.path / name)

    def remove(self, name: str) -> None:
        (self.path / name).unlink(missing_ok=True)

    def staging_path(self, name: str) -> Path:
        return self.path / f"{name}.aside"

    def publish(self, name: str) -> None:
        self.staging_path(name).rename(self.path / name)

    def local(self, name: str) -> Path:
        return self.path / name

    def has(self, name: str) -> bool:
        return (self.path / name).exists()

    def clear(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)

    def drop_cached_except(self, wanted: Collection[str]) -> None:
        """There are no copies."""


@dataclass(frozen=True)
class RemoteStorage(Storage):
    """A folder of a file system of pyarrow's, which is found by the address of its `root`."""

    root: str
    folder: str = ""

    @property
    def address(self) -> str:
        return f"{self.root}/{self.folder}" if self.folder else self.root

    def below(self, name: str) -> RemoteStorage:
        return RemoteStorage(self.root, f"{self.folder}/{name}" if self.folder else name)

    @cached_property
    def _files(self) -> Any:
        return file_system(self.root)[0]

    def _path(self, name: str = "") -> str:
        parts = [file_system(self.root)[1], self.folder, name]
        return "/".join(part for part in parts if part)

    @cached_property
    def _cache(self) -> Path:
        path = caches() / sha256(self.address.encode()).hexdigest()[:24]
        if not path.exists():
            sweep_caches()
            path.mkdir(parents=True, exist_ok=True)
        return path

    def make(self) -> None:
        if self._has_folders:
            self._files.create_dir(self._path(), recursive=True)

    def names(self) -> list[str]:
        from pyarrow.fs import FileSelector

        found = self._files.get_file_info(FileSelector(self._path(), allow_not_found=True))
        return [each.base_name for each in found]

    def read(self, name: str) -> bytes | None:
        try:
            with self._files.open_input_stream(self._path(name)) as content:
                return bytes(content.read())
        except FileNotFoundError:
            return None

    def write(self, name: str, content: bytes) -> None:
        if not self._has_folders:
            self._put(self._path(name), content)
            return
        aside = self._path(f"{name}.{uuid.uuid4().hex}")
        self._put(aside, content)
        # A rename takes nobody's place. Only a batch that is run again writes a file anew, and then nobody reads it.
        self.remove(name)
        self._files.move(aside, self._path(name))

    @property
    def _has_folders(self) -> bool:
        """Whether there are folders, and files in them before they are whole; in a store of objects neither is."""
        return self._files.type_name not in ("s3", "gcs", "abfs")

    def _put(self, path: str, content: bytes) -> None:
        with self._files.open_output_stream(path) as stream:
            stream.write(content)

    def remove(self, name: str) -> None:
        from pyarrow.fs import FileType

        (self._cache / name).unlink(missing_ok=True)
        if self._files.get_file_info(self._path(name)).type != FileType.NotFound:
            self._files.delete_file(self._path(name))

    def staging_path(self, name: str) -> Path:
        return self._cache / f"{name}.aside"

    def publish(self, name: str) -> None:
        with self.staging_path(name).open("rb") as source, self._files.open_output_stream(self._path(name)) as stream:
            shutil.copyfileobj(source, stream, 1 << 20)
        self.staging_path(name).rename(self._cache / name)

    def local(self, name: str) -> Path:
        found = self._cache / name
        if not found.exists():
            aside = self._cache / f"{name}.{uuid.uuid4().hex}.aside"
            with self._files.open_input_stream(self._path(name)) as source, aside.open("wb") as stream:
                shutil.copyfileobj(source, stream, 1 << 20)
            aside.rename(found)
        return found

    def has(self, name: str) -> bool:
        return (self._cache / name).exists()

    def clear(self) -> None:
        self._files.delete_dir_contents(self._path(), missing_dir_ok=True)
        if self._has_folders:
            self._files.delete_dir(self._path())

    def drop_cached_except(self, wanted: Collection[str]) -> None:
        for path in self._cache.iterdir():
            if path.name not in wanted and path.suffix != ".aside":
                path.unlink(missing_ok=True)
        os.utime(self._cache)


def store_at(address: str) -> Storage:
    """The store that an address names.

    >>> store_at("file:///a/b%20c").address, store_at("hdfs://names/kept/state/").address
    ('/a/b c', 'hdfs://names/kept/state')
    """
    scheme, _, rest = address.partition("://")
    if not rest:
        return LocalStorage(Path(address.removeprefix("file:")).absolute())
    if scheme.lower() == "file":
        parts = urlsplit(address)
        if parts.netloc not in ("", "localhost"):
            raise RunError(f"{address} names a machine", hint=f"a folder of all machines is file://{parts.path}")
        return LocalStorage(Path(unquote(parts.path)))
    return RemoteStorage(address.rstrip("/"))


def is_remote(address: str) -> bool:
    """Whether an address is not of a folder that is read in place."""
    return isinstance(store_at(address), RemoteStorage)


@cache
def file_system(address: str) -> tuple[Any, str]:
    """The file system of an address, and the path that the address has in it."""
    import pyarrow as pa
    from pyarrow.fs import FileSystem

    scheme, _, rest = address.partition("://")
    try:
        found: tuple[Any, str] = FileSystem.from_uri(f"{SCHEMES.get(scheme.lower(), scheme)}://{rest}")
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as problem:
        raise RunError(
            f"{address} cannot be opened: {str(problem).splitlines()[0]}",
            hint="a folder, file://, hdfs:// (which needs Hadoop's libhdfs), s3a:// or gs:// is wanted",
        ) from None
    return found


def caches() -> Path:
    """Where this machine caches what is kept elsewhere: beside what Spark keeps there, where Spark runs."""
    base = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0] or tempfile.gettempdir()
    return Path(base) / f"tailrace-cache-{os.getuid()}"


def sweep_caches() -> None:
    """Remove what is cached of folders that nobody looked at for long."""
    for path in caches().glob("*"):
        with suppress(FileNotFoundError):  # another process does the same
            if path.stat().st_mtime < time.time() - UNUSED:
                shutil.rmtree(path, ignore_errors=True)
