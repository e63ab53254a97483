// Layout: places for the nodes of a plan in layers from left to right, sources first, by the usual steps: layers by the
// longest way from a source, turns for edges that cross layers, an order within each layer that crosses little, heights.

const SWEEPS = 8;

/** Each node by id with its layer, x and y, and each edge as the points it passes. */
export function layout(nodes, size) {
  const cells = new Map();
  const known = new Map(nodes.map((node) => [node.id, node]));
  const depth = (id) => {
    const cell = cells.get(id);
    if (cell) return cell.layer;
    const node = known.get(id);
    const layer = Math.max(-1, ...node.inputs.map(depth)) + 1;
    cells.set(id, { id, layer, inputs: [], readers: [], height: size.height });
    return layer;
  };
  nodes.forEach((node) => depth(node.id));
  const edges = nodes.flatMap((node) => node.inputs.map((input) => routed(cells, input, node.id)));
  const layers = inLayers([...cells.values()]);
  for (let sweep = 0; sweep < SWEEPS; sweep++) order(layers, sweep % 2 === 0);
  heights(layers, size);
  const columns = layers.map((_, number) => number * (size.width + size.gapX));
  for (const cell of cells.values()) cell.x = columns[cell.layer];
  const width = columns.length ? columns[columns.length - 1] + size.width : 0;
  const height = Math.max(0, ...[...cells.values()].map((cell) => cell.y + cell.height));
  const paths = edges.map(({ from, to, turns }) => ({ from, to, points: points(cells, from, to, turns, size) }));
  return { cells, edges: paths, width, height };
}

/** An edge with a turn in each layer it crosses. */
function routed(cells, from, to) {
  const [first, last] = [cells.get(from).layer, cells.get(to).layer];
  const turns = [];
  for (let layer = first + 1; layer < last; layer++) {
    const id = `${from}→${to}#${layer}`;
    cells.set(id, { id, layer, inputs: [], readers: [], height: 6, turn: true });
    turns.push(id);
  }
  const way = [from, ...turns, to];
  for (let at = 1; at < way.length; at++) {
    cells.get(way[at]).inputs.push(cells.get(way[at - 1]));
    cells.get(way[at - 1]).readers.push(cells.get(way[at]));
  }
  return { from, to, turns };
}

function inLayers(cells) {
  const layers = [];
  for (const cell of cells) (layers[cell.layer] ||= []).push(cell);
  layers.forEach((layer) => layer.forEach((cell, at) => (cell.at = at)));
  return layers;
}

function order(layers, forward) {
  const turn = forward ? layers : [...layers].reverse();
  for (const layer of turn) {
    for (const cell of layer) {
      const beside = forward ? cell.inputs : cell.readers;
      cell.wish = beside.length ? mean(beside.map((each) => each.at)) : cell.at;
    }
    layer.sort((one, other) => one.wish - other.wish || one.at - other.at);
    layer.forEach((cell, at) => (cell.at = at));
  }
}

/** Near the nodes beside them, without overlap. */
function heights(layers, size) {
  for (const layer of layers) stack(layer, size, layer.map((_, at) => at * (size.height + size.gapY)));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const forward = sweep % 2 === 1;
    for (const layer of forward ? layers : [...layers].reverse()) {
      const wishes = layer.map((cell) => {
        const beside = forward ? cell.inputs : cell.readers;
        return beside.length ? mean(beside.map((each) => each.y + each.height / 2)) - cell.height / 2 : cell.y;
      });
      stack(layer, size, wishes);
    }
  }
  const top = Math.min(...layers.flat().map((cell) => cell.y));
  for (const cell of layers.flat()) cell.y -= top;
}

/** The nearest places to the wishes at which nodes keep their order and their distance. */
function stack(layer, size, wishes) {
  const groups = [];
  layer.forEach((cell, at) => {
    let group = { cells: [cell], wish: wishes[at], length: cell.height };
    while (groups.length && last(groups).wish + last(groups).length + size.gapY > group.wish) {
      const before = groups.pop();
      const shifted = group.wish - before.length - size.gapY;
      const count = before.cells.length + group.cells.length;
      const wish = (before.wish * before.cells.length + shifted * group.cells.length) / count;
      group = { cells: [...before.cells, ...group.cells], wish, length: before.length + size.gapY + group.length };
    }
    groups.push(group);
  });
  for (const group of groups) {
    let y = group.wish;
    for (const cell of group.cells) {
      cell.y = y;
      y += cell.height + size.gapY;
    }
  }
}

function points(cells, from, to, turns, size) {
  const middle = (cell) => cell.y + cell.height / 2;
  const [one, other] = [cells.get(from), cells.get(to)];
  const between = turns.map((id) => cells.get(id)).flatMap((cell) => [[cell.x, middle(cell)], [cell.x + size.width, middle(cell)]]);
  return [[one.x + size.width, middle(one)], ...between, [other.x, middle(other)]];
}

const mean = (numbers) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
const last = (list) => list[list.length - 1];
