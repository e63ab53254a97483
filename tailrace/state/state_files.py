"""State files: the state of operators, kept between batches in immutable files that tasks map into memory.

A folder holds the state of one shard of one stage. A batch writes the runs that it made into one segment file, and a
manifest: the tree of the state, with a place in a segment for each run. Runs that a batch did not touch are only
referred to again, so saving costs what changed, and loading costs a look at the manifest.

No file ever changes, and each attempt at a batch gives its files names of their own. What an attempt wrote counts once
the driver has committed the batch with the names of its manifests. So attempts that fail, that run twice, or that wake
up when the batch is long over, do no harm.

A manifest has a checksum, and the sizes and checksums of the segments that it names. A process verifies a segment when
it opens it first; runs that are mapped already are not read again.
"""

from __future__ import annotations

import errno
import json
import re
import uuid
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any
from weakref import WeakKeyDictionary
from zlib import crc32

import pyarrow as pa

from tailrace.columnar.delta import Delta
from tailrace.errors import StateError
from tailrace.fault_injection import fault
from tailrace.state import disk
from tailrace.state.checksums import damage_of, read_sealed, seal
from tailrace.state.runs import Run
from tailrace.state.state_classes import find_class, name_of
from tailrace.state.storage import Storage, store_at

FORMAT = 5
UNSEALED = 4  # the format before, without checksums, which is read too
ALIGNMENT = 64
FILE = re.compile(r"(\d+)-[0-9a-f]+\.(?:segment|manifest)(?:\.[0-9a-f]*)?(?:\.aside)?")


@dataclass(frozen=True)
class RunLocation:
    """Where a run is stored: a segment file, the offset of its first byte, and how many bytes it has."""

    segment: str
    offset: int
    length: int


# Where the runs of this process are stored. A run that is in no file yet is not here.
_places: WeakKeyDictionary[Run, tuple[Storage, RunLocation]] = WeakKeyDictionary()


# The runs of each folder that this process has mapped. The next batch needs most of them again, and pages once mapped
# stay mapped: with a large window a batch costs a third less.
_mapped: dict[Storage, dict[RunLocation, Run]] = {}


# The size and the checksum of each segment that this process has written or verified, by folder and name.
_digests: dict[Storage, dict[str, list[int]]] = {}


def _forget_removed() -> None:
    """Forget mapped runs whose files were removed, perhaps by another process: they take up disk space while mapped."""
    for folder, runs in list(_mapped.items()):
        there = {segment for segment in {place.segment for place in runs} if folder.has(segment)}
        _mapped[folder] = {place: run for place, run in runs.items() if place.segment in there}
        if not there:
            del _mapped[folder]
    for folder, digests in list(_digests.items()):
        _digests[folder] = {segment: each for segment, each in digests.items() if folder.has(segment)}
        if not _digests[folder]:
            del _digests[folder]


@contextmanager
def raise_state_errors(address: str) -> Iterator[None]:
    """Turn an exception of the disk or of Arrow inside the block into a StateError that names a folder.

    Of a full disk the message has been said before: it is raised as it is.
    """
    try:
        yield
    except (OSError, pa.ArrowException) as problem:
        if getattr(problem, "errno", None) == errno.ENOSPC:
            raise
        raise StateError(f"the state in {address} cannot be read or written: {problem}") from problem


class StateFolder:
    """The folder of one shard's state: what attempts at its last two batches saved.

    If it `syncs`, a state that was saved outlives a power loss.
    """

    def __init__(self, address: str, syncs: bool = False) -> None:
        self.store = store_at(address, syncs)
        self.loaded: frozenset[str] = frozenset()  # the segments of the state that was loaded

    def load(self, manifest: str, wanted: Container[str] | None = None) -> Any | None:
        """Load the state of a manifest, of states by name only those `wanted`; None if there is no such manifest."""
        told = self._read_manifest(manifest)
        if told is None:
            return None
        _forget_removed()
        segments = told["segments"] if isinstance(told["segments"], dict) else {}
        reader = _StateReader(self.store, _mapped.get(self.store, {}), segments)
        tree = told["tree"]
        if wanted is not None:
            tree = {"dict": {name: each for name, each in tree["dict"].items() if name in wanted}}
        found = reader.tree(tree)
        _mapped[self.store] = reader.runs
        self.loaded = frozenset(told["segments"])
        self.store.drop_cached_except(self.loaded)
        return found

    def save(self, batch: int, state: Any, by: str = "") -> str:
        """Save the state after a batch and return the name of its manifest; remove old files that nothing needs.

        `by` identifies the driver's attempt at the batch, in hexadecimal digits: file names begin with batch and `by`.
        """
        self.store.make()
        fault("state")
        unique = f"{batch}-{by}{uuid.uuid4().hex}"
        writer = _StateWriter(self.store, f"{unique}.segment")
        tree = writer.tree(state)
        if writer.new:
            found = writer.write(str(self.store.staging_path(writer.segment)))
            self.store.publish(writer.segment)
            _places.update({run: (self.store, place) for run, place in found})
        digests = {segment: _digest_of(self.store, segment) for segment in sorted(writer.segments)}
        told = {"format": FORMAT, "segments": digests, "tree": tree}
        self.store.write(f"{unique}.manifest", seal(json.dumps(told, separators=(",", ":"))))
        fault("manifest")
        self._sweep(batch, writer.segments | self.loaded)
        return f"{unique}.manifest"

    def find_manifest(self, batch: int, by: str) -> str | None:
        """The name of a manifest that was saved for the batch with this `by`; None if there is none."""
        names = (name for name in self.store.names() if name.startswith(f"{batch}-{by}"))
        return min((name for name in names if name.endswith(".manifest")), default=None)

    def _read_manifest(self, manifest: str) -> Any | None:
        found = read_sealed(self.store, manifest)
        if found is None:
            return None
        told, is_sealed = found
        if told.get("format") == FORMAT and not is_sealed:
            raise damage_of(self.store, manifest)
        if told.get("format") not in (FORMAT, UNSEALED):
            raise StateError(
                f"the state in {self.store.address} has format {told.get('format')}, not {FORMAT}: {manifest}",
                hint="another version of Tailrace wrote it; start from a new checkpoint folder",
            )
        return told

    def _sweep(self, batch: int, wanted: Container[str]) -> None:
        """Remove unwanted files of batches before the last one; another attempt may still refer to later ones."""
        for name in self.store.names():
            found = FILE.fullmatch(name)
            if found and int(found[1]) < batch - 1 and name not in wanted:
                self.store.remove(name)


def _digest_of(folder: Storage, segment: str) -> list[int]:
    """The size and the checksum of a segment, computed by each process once."""
    known = _digests.setdefault(folder, {})
    if segment not in known:
        content = pa.memory_map(str(folder.local(segment))).read_buffer()
        known[segment] = [content.size, crc32(content)]
    return known[segment]


class _StateWriter:
    """Turns a state into a tree of plain values; runs that are in no file yet get a place in a new segment."""

    def __init__(self, folder: Storage, segment: str) -> None:
        self.folder = folder
        self.segment = segment
        self.segments: set[str] = set()
        self.new: list[tuple[Run | Delta, dict[str, Any]]] = []
        self.known: dict[int, dict[str, Any]] = {}

    def tree(self, value: Any) -> Any:
        match value:
            case None | bool() | int() | str():
                return value
            case list():
                return {"list": [self.tree(each) for each in value]}
            case tuple():
                return {"tuple": [self.tree(each) for each in value]}
            case dict():
                return {"dict": {key: self.tree(each) for key, each in value.items()}}
            case Run() | Delta():
                return self.leaf(value)
        return {
            "class": name_of(type(value)),
            "fields": [self.tree(getattr(value, each.name)) for each in fields(value)],
        }

    def leaf(self, value: Run | Delta) -> dict[str, Any]:
        if id(value) not in self.known:
            leaf: dict[str, Any] = {"delta": None} if isinstance(value, Delta) else {"run": None, "facts": value.facts}
            self.known[id(value)] = leaf
            folder, place = _places.get(value, (None, None)) if isinstance(value, Run) else (None, None)
            if place is not None and folder == self.folder and self.folder.has(place.segment):
                self.refer(leaf, place)
            else:
                self.new.append((value, leaf))
        return self.known[id(value)]

    def refer(self, leaf: dict[str, Any], place: RunLocation) -> None:
        leaf["delta" if "delta" in leaf else "run"] = [place.segment, place.offset, place.length]
        self.segments.add(place.segment)

    def write(self, path: str) -> list[tuple[Run, RunLocation]]:
        """Write the new runs to a segment file; returns where each of them is stored now."""
        found = []
        with disk.create_for_arrow(path) as sink:
            for value, leaf in self.new:
                sink.write(bytes(-sink.tell() % ALIGNMENT))
                offset = sink.tell()
                columns = _columns(value)
                batch = pa.RecordBatch.from_arrays(columns, names=[str(number) for number in range(len(columns))])
                _append(sink, batch)
                if isinstance(value, Run) and value.directory is not None:
                    _append(sink, pa.RecordBatch.from_arrays([pa.array(value.directory)], names=["directory"]))
                place = RunLocation(self.segment, offset, sink.tell() - offset)
                self.refer(leaf, place)
                if isinstance(value, Run):
                    found.append((value, place))
        return found


def _append(sink: pa.NativeFile, batch: pa.RecordBatch) -> None:
    with pa.ipc.new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)


def _columns(value: Run | Delta) -> list[pa.Array]:
    if isinstance(value, Run):
        return [pa.array(value.order), *value.columns]
    return [pa.array(value.start), pa.array(value.until), pa.array(value.weight), *value.columns]


class _StateReader:
    """Turns a tree back into the state; runs are views of mapped segments, and those mapped before are used again."""

    def __init__(self, folder: Storage, known: Mapping[RunLocation, Run], digests: Mapping[str, list[int]]) -> None:
        self.folder = folder
        self.known = known
        self.digests = digests  # of segments, as the manifest has them; none in one of the format before
        self.segments: dict[str, pa.Buffer] = {}
        self.runs: dict[RunLocation, Run] = {}

    def tree(self, value: Any) -> Any:
        match value:
            case {"list": list() as items}:
                return [self.tree(each) for each in items]
            case {"tuple": list() as items}:
                return tuple(self.tree(each) for each in items)
            case {"dict": dict() as items}:
                return {key: self.tree(each) for key, each in items.items()}
            case {"run": [segment, offset, length], "facts": facts}:
                return self.run(RunLocation(segment, offset, length), tuple(facts))
            case {"delta": [segment, offset, length]}:
                start, until, weight, *columns = self.batches(RunLocation(segment, offset, length))[0].columns
                return Delta(start.to_numpy(), until.to_numpy(), weight.to_numpy(), tuple(columns))
            case {"class": name, "fields": list() as parts}:
                return self.build(name, [self.tree(each) for each in parts])
        return value

    def run(self, place: RunLocation, facts: tuple[int, ...]) -> Run:
        if place in self.known:
            self.runs[place] = self.known[place]
        if place not in self.runs:
            rows, *more = self.batches(place)
            order, *columns = rows.columns
            directory = more[0].column(0).to_numpy() if more else None
            self.runs[place] = Run(order.to_numpy(), tuple(columns), facts, directory)
            _places[self.runs[place]] = self.folder, place
        return self.runs[place]

    def batches(self, place: RunLocation) -> list[pa.RecordBatch]:
        """The record batches of a run or delta: the rows and, for a long run, its directory."""
        if place.segment not in self.segments:
            self.segments[place.segment] = self.open(place.segment)
        content = pa.BufferReader(self.segments[place.segment].slice(place.offset, place.length))
        found = []
        while content.tell() < place.length:
            with pa.ipc.open_stream(content) as stream:
                found += list(stream)
        return found

    def open(self, segment: str) -> pa.Buffer:
        """Map a segment into memory; a StateError if it is not there or damaged."""
        try:
            digest = _digest_of(self.folder, segment)
        except FileNotFoundError:
            raise StateError(
                f"{self.folder.address}/{segment} is not there",
                hint="something was removed from the checkpoint; name a new folder to start empty",
            ) from None
        if digest != self.digests.get(segment, digest):
            del _digests[self.folder][segment]
            raise damage_of(self.folder, segment)
        return pa.memory_map(str(self.folder.local(segment))).read_buffer()

    def build(self, name: str, parts: list[Any]) -> Any:
        cls = find_class(name)
        if cls is None or len(fields(cls)) != len(parts):
            raise StateError(
                f"the state in {self.folder.address} holds a {name} that this version does not know",
                hint="another version of Tailrace wrote it; start from a new checkpoint folder",
            )
        return cls(*parts)
