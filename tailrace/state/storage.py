"""Storage: a folder of files that every worker can reach, named by an address.

A plain path or a `file://` address names a folder of this machine, or one that is mounted on all machines: it is read
in place. Any other address (`hdfs://`, `s3a://`, `gs://`) names a folder of one of pyarrow's file systems: files that
never change are fetched once and kept in a cache on this machine's disk.

Each file that never changes has a name of its own, and other files refer to it only once it is complete.

A local folder that `syncs` makes a file durable before `write` returns: what was published into the folder before, and
then the small file itself. So a small file that names large ones is never there without them after a power loss.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tailrace.errors import RunError
from tailrace.private_folder import make_private_folder
from tailrace.state import disk
from tailrace.state.sync_files import make_folder, sync_file, sync_folder

# Hadoop's schemes that have another name in pyarrow.
SCHEMES = {"s3a": "s3", "s3n": "s3"}
NO_LINKS = (errno.ENOTSUP, errno.ENOSYS, errno.EMLINK)  # what a file system without links says, beside EPERM
UNUSED = 3600.0  # seconds after which the cache of a folder is removed if it was not used


class Storage(ABC):
    """A folder with small files, which are read and written whole, and large files, which never change."""

    @property
    @abstractmethod
    def address(self) -> str:
        """The text that names the folder on all machines."""

    @property
    def for_spark(self) -> str:
        """The address of the folder as Spark takes it."""
        return self.address

    @abstractmethod
    def below(self, name: str) -> Storage:
        """The folder `name` inside this folder."""

    @abstractmethod
    def make(self) -> None:
        """Create the folder if it does not exist."""

    @abstractmethod
    def names(self) -> list[str]:
        """The names of everything in the folder; none if it does not exist."""

    @abstractmethod
    def read(self, name: str) -> bytes | None:
        """The content of a small file; None if there is no such file."""

    @abstractmethod
    def write(self, name: str, content: bytes) -> None:
        """Write or replace a small file; a reader sees all of the content or no file, never a part of it."""

    @abstractmethod
    def create(self, name: str, content: bytes) -> bool:
        """Write a small file if there is none of that name, and say whether this call did; only one caller can.

        At an address, two callers at the same moment may both be told so.
        """

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file, if it exists."""

    @abstractmethod
    def staging_path(self, name: str) -> Path:
        """The path on this machine to which a large file is written before `publish` puts it into the folder."""

    @abstractmethod
    def publish(self, name: str) -> None:
        """Put a file that was written to its staging path into the folder; it is durable after the next `write`."""

    @abstractmethod
    def local(self, name: str) -> Path:
        """The path of a large file on this machine, fetched first if need be."""

    @abstractmethod
    def has(self, name: str) -> bool:
        """Whether a large file is still on this machine: in the folder, or in the cache of a remote one."""

    @abstractmethod
    def clear(self) -> None:
        """Remove everything in the folder."""

    @abstractmethod
    def drop_cached_except(self, wanted: Collection[str]) -> None:
        """Remove cached files other than these: only these will be needed again on this machine."""


@dataclass(frozen=True)
class LocalStorage(Storage):
    """A folder that is read in place; if it `syncs`, what is written there outlives a power loss."""

    path: Path
    syncs: bool = field(default=False, compare=False)  # the same folder, whether it syncs or not

    @property
    def address(self) -> str:
        return str(self.path)

    @property
    def for_spark(self) -> str:
        # Spark would look for a bare path in the cluster's own file system.
        return f"file:{self.path}"

    def below(self, name: str) -> LocalStorage:
        return LocalStorage(self.path / name, self.syncs)

    def make(self) -> None:
        if self.syncs:
            make_folder(self.path)
        else:
            disk.make_folders(self.path)

    def names(self) -> list[str]:
        return disk.list_names(self.path)

    def read(self, name: str) -> bytes | None:
        try:
            return disk.read(self.path / name)
        except FileNotFoundError:
            return None

    def write(self, name: str, content: bytes) -> None:
        aside = self.path / f"{name}.{uuid.uuid4().hex}"
        try:
            self.write_aside(aside, content)
            disk.rename(aside, self.path / name)
        except BaseException:
            with suppress(OSError):
                disk.remove(aside)
            raise
        if self.syncs:
            sync_folder(self.path)

    def create(self, name: str, content: bytes) -> bool:
        aside = self.path / f"{name}.{uuid.uuid4().hex}"
        try:
            self.write_aside(aside, content)
            if not self.create_from(aside, self.path / name, content):
                return False
        finally:
            disk.remove(aside)
        if self.syncs:
            sync_folder(self.path)
        return True

    def create_from(self, aside: Path, path: Path, content: bytes) -> bool:
        """Give a complete file its name, and say whether no other file had it."""
        try:
            disk.link(aside, path)
        except FileExistsError:
            return False
        except OSError as problem:
            if not isinstance(problem, PermissionError) and problem.errno not in NO_LINKS:
                raise
            # A reader may then see a part of the content.
            with suppress(FileExistsError), path.open("xb") as file:
                file.write(content)
                file.flush()
                if self.syncs:
                    sync_file(path)
                return True
            return False
        return True

    def write_aside(self, aside: Path, content: bytes) -> None:
        """Write a file that has no name yet that anybody looks for."""
        disk.write(aside, content)
        if self.syncs:
            sync_file(aside)

    def remove(self, name: str) -> None:
        disk.remove(self.path / name)

    def staging_path(self, name: str) -> Path:
        return self.path / f"{name}.aside"

    def publish(self, name: str) -> None:
        if self.syncs:
            sync_file(self.staging_path(name))
        disk.rename(self.staging_path(name), self.path / name)

    def local(self, name: str) -> Path:
        return self.path / name

    def has(self, name: str) -> bool:
        return (self.path / name).exists()

    def clear(self) -> None:
        disk.clear(self.path)

    def drop_cached_except(self, wanted: Collection[str]) -> None:
        """Nothing to do: nothing is cached."""


@dataclass(frozen=True)
class RemoteStorage(Storage):
    """A folder below `root`, which is an address of one of pyarrow's file systems; large files are cached."""

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
        # A rename does not replace a file. Only a batch that is run again writes a file anew, and then nobody reads it.
        self.remove(name)
        self._files.move(aside, self._path(name))

    def create(self, name: str, content: bytes) -> bool:
        if self.read(name) is not None:
            return False
        self.write(name, content)
        return True

    @property
    def _has_folders(self) -> bool:
        """Whether the file system has folders, and shows files before they are complete; object stores do neither."""
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


def store_at(address: str, syncs: bool = False) -> Storage:
    """The storage that an address names; `syncs` is for folders of this machine, others have rules of their own.

    >>> store_at("file:///a/b%20c").address, store_at("hdfs://names/kept/state/").address
    ('/a/b c', 'hdfs://names/kept/state')
    """
    scheme, _, rest = address.partition("://")
    if not rest:
        return LocalStorage(Path(address.removeprefix("file:")).absolute(), syncs)
    if scheme.lower() == "file":
        parts = urlsplit(address)
        if parts.netloc not in ("", "localhost"):
            raise RunError(f"{address} names a machine", hint=f"a folder of all machines is file://{parts.path}")
        return LocalStorage(Path(unquote(parts.path)), syncs)
    return RemoteStorage(address.rstrip("/"))


def is_remote(address: str) -> bool:
    """Whether an address names a folder that is not read in place."""
    return isinstance(store_at(address), RemoteStorage)


@cache
def file_system(address: str) -> tuple[Any, str]:
    """The pyarrow file system of an address, and the path of the address in it."""
    import pyarrow as pa
    from pyarrow.fs import FileSystem

    scheme, _, rest = address.partition("://")
    try:
        found: tuple[Any, str] = FileSystem.from_uri(f"{SCHEMES.get(scheme.lower(), scheme)}://{rest}")
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as problem:
        raise RunError(
            f"{address} cannot be opened: {str(problem).splitlines()[0]}",
            hint="expected a folder, file://, hdfs:// (which needs Hadoop's libhdfs), s3a:// or gs://",
        ) from None
    return found


def caches() -> Path:
    """This user's own folder in which remote files are cached: beside Spark's local files, if Spark runs here."""
    base = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0] or tempfile.gettempdir()
    return make_private_folder(Path(base) / f"tailrace-cache-{os.getuid()}")


def sweep_caches() -> None:
    """Remove the caches of folders that were not used for UNUSED seconds."""
    for path in caches().glob("*"):
        with suppress(FileNotFoundError):  # another process does the same
            if path.stat().st_mtime < time.time() - UNUSED:
                shutil.rmtree(path, ignore_errors=True)
