// Model of the page: the plan's data, loads, what rests on what, and colour classes.
if (data.plans) { // a page of several plans: the first one's addresses until another is chosen
  Object.assign(data, {offset: data.plans[0].offset, memory: data.plans[0].memory, bound: {step: null, buffers: []},
    memories: [{name: '', peak: data.plans[0].peak, bound: data.lowerBound, capacity: null}]});
}
// A page of layer groups: the lane of one group at a time takes a plan's place.
const EMPTY_LANE = {mainMemory: 0, memories: [{name: '', peak: 0, bound: 0, capacity: null}], steps: [0, 1],
  bound: {step: null, buffers: []}, id: [], lower: [], upper: [], size: [], gaps: {}, offset: [], shares: [], kind: [],
  sizeClasses: [], palette: [], table: []};
if (data.groups) Object.assign(data, EMPTY_LANE);
const ops = data.ops || null;
data.bound = data.bound || {step: null, buffers: []};
data.gaps = data.gaps || {};
let count = 0;

// ---- numbers -------------------------------------------------------------------------------
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
const exact = (value) => Math.round(value).toLocaleString('en-US');
function human(bytes) {
  if (data.unit) return exact(bytes) + (bytes === 0 ? '' : ' ' + data.unit);
  let unit = 0, value = bytes;
  while (Math.abs(value) >= 1024 && unit < UNITS.length - 1) { value /= 1024; unit++; }
  const decimals = unit === 0 || value >= 1000 ? 0 : value >= 100 ? 1 : 2;
  const rounded = value.toFixed(decimals);
  // Trailing zeros are dropped only where the figure is exact.
  return (parseFloat(rounded) === value ? parseFloat(rounded) : rounded) + ' ' + UNITS[unit];
}
const both = (bytes) => data.unit ? human(bytes) : bytes < 1024 ? bytes + ' bytes' : human(bytes) + ' (' + exact(bytes) + ' bytes)';
function ticks(low, high, step) {
  const values = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) values.push(at);
  return values;
}
function byteTicks(low, high, most) {
  let step = 1;
  while ((high - low) / step > most) step *= 2;
  return ticks(low, high, step);
}
function stepTicks(low, high, most) {
  for (let unit = 1; ; unit *= 10) {
    for (const factor of [1, 2, 5]) {
      if ((high - low) / (factor * unit) <= most) return ticks(low, high, factor * unit);
    }
  }
}

// ---- names -----------------------------------------------------------------------------------
/** The part of a name that tells it from others: of fused names the last, of paths the last two steps. */
function shortOf(name) {
  const last = name.slice(name.lastIndexOf(';') + 1), parts = last.split('/').filter((part) => part !== '');
  return parts.length > 2 ? parts.slice(-2).join('/') : last || name;
}
const shortName = [];
/** Gives short names that several buffers share the last part in which these buffers differ. */
function tellApart() {
  const alike = new Map();
  shortName.forEach((name, i) => { if (alike.has(name)) alike.get(name).push(i); else alike.set(name, [i]); });
  for (const [name, list] of alike) {
    if (list.length < 2 || !name.includes('/')) continue;
    const parts = list.map((i) => data.id[i].split(/[/;]/).filter((part) => part !== ''));
    const most = Math.min(...parts.map((p) => p.length));
    let k = 3;
    while (k <= most && new Set(parts.map((p) => p[p.length - k])).size < list.length) k++;
    if (k <= most) list.forEach((i, at) => { shortName[i] = parts[at][parts[at].length - k] + '/…/' + parts[at][parts[at].length - 1]; });
  }
}
/** Short names of all buffers, without what all begin with. */
function readNames() {
  shortName.length = 0;
  for (const id of data.id) shortName.push(shortOf(id));
  tellApart();
  let common = count > 2 ? shortName[0] : '';
  for (const name of shortName) while (common && !name.startsWith(common)) common = common.slice(0, -1);
  common = common.slice(0, common.search(/[./_][^./_]*$/) + 1);
  if (common.length > 7) shortName.forEach((name, i) => { if (name.length > common.length) shortName[i] = name.slice(common.length); });
}

// ---- shapes --------------------------------------------------------------------------------
const memoryOf = (i) => data.memory ? data.memory[i] : 0;
const drawn = (i) => data.size[i] > 0 && data.lower[i] < data.upper[i];
/** The parts of a buffer's live range: [start, end, low, high], in bytes from its offset. */
function spans(i) {
  const gaps = data.gaps[i];
  if (!gaps) return [[data.lower[i], data.upper[i], 0, data.size[i]]];
  const found = [];
  let at = data.lower[i];
  for (const [start, end, low, high] of gaps) {
    if (at < start) found.push([at, start, 0, data.size[i]]);
    if (low < high) found.push([start, end, low, high]);
    at = end;
  }
  if (at < data.upper[i]) found.push([at, data.upper[i], 0, data.size[i]]);
  return found;
}
const shapes = [];

/** Loads of a lane by step: of two buffers in one place the larger counts. */
function loadOfLane() {
  const starts = [...Array(data.steps[1]).keys()], loads = starts.map(() => 0);
  const alive = (i, s) => shapes[i].some(([start, end]) => start <= s && s < end);
  for (const s of starts) {
    for (let i = 0; i < count; i++) {
      if (!alive(i, s)) continue;
      const operand = data.shares[i];
      loads[s] += operand >= 0 && alive(operand, s) ? Math.max(0, data.size[i] - data.size[operand]) : data.size[i];
    }
  }
  return {starts, loads, most: Math.max(0, ...loads)};
}
function loadOf(inMemory) {
  if (data.table) return loadOfLane();
  const changes = new Map();
  const add = (step, bytes) => changes.set(step, (changes.get(step) || 0) + bytes);
  for (let i = 0; i < count; i++) {
    if (!inMemory(memoryOf(i))) continue;
    for (const [start, end, low, high] of shapes[i]) { add(start, high - low); add(end, low - high); }
  }
  const starts = [...changes.keys()].sort((a, b) => a - b);
  const loads = [];
  let load = 0, most = 0;
  for (const step of starts) { load += changes.get(step); loads.push(load); most = Math.max(most, load); }
  return {starts, loads, most};
}
function loadAt(profile, step) {
  let low = 0, high = profile.starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (profile.starts[middle] <= step) low = middle + 1; else high = middle;
  }
  return low === 0 ? 0 : profile.loads[low - 1];
}

// ---- what rests on what ---------------------------------------------------------------------
const ends = new Map(), begins = new Map();
/** Derives shapes and neighbours from the data; once a page, and again where its data change. */
function readModel() {
  count = data.id.length;
  readNames();
  shapes.length = 0;
  ends.clear();
  begins.clear();
  for (let i = 0; i < count; i++) {
    shapes.push(drawn(i) ? spans(i) : []);
    if (!drawn(i)) continue;
    for (const [map, address] of [[ends, data.offset[i] + data.size[i]], [begins, data.offset[i]]]) {
      const key = memoryOf(i) + ':' + address;
      if (map.has(key)) map.get(key).push(i); else map.set(key, [i]);
    }
  }
}
readModel();
const together = (i, j) => data.lower[i] < data.upper[j] && data.lower[j] < data.upper[i];
/** Buffers that end where this one begins and are live at the same time. */
const restsOn = (i) => (ends.get(memoryOf(i) + ':' + data.offset[i]) || []).filter((j) => together(i, j));
const holdsUp = (i) => (begins.get(memoryOf(i) + ':' + (data.offset[i] + data.size[i])) || [])
    .filter((j) => together(i, j));
/** A chain of touching buffers from the given one down, as far as it goes; the largest support first. */
function chainDown(top) {
  const chain = [top];
  for (let at = top; ;) {
    const below = restsOn(at).filter((j) => !chain.includes(j));
    if (!below.length) return chain;
    at = below.reduce((a, b) => data.size[b] > data.size[a] ? b : a);
    chain.push(at);
  }
}
/** The longest such chain below a buffer that reaches the peak of a memory. */
function criticalChain(memory) {
  let best = [];
  for (let i = 0; i < count; i++) {
    if (!drawn(i) || memoryOf(i) !== memory) continue;
    if (data.offset[i] + data.size[i] !== data.memories[memory].peak) continue;
    const chain = chainDown(i);
    const lowest = data.offset[chain[chain.length - 1]];
    if (!best.length || lowest < data.offset[best[best.length - 1]]) best = chain;
  }
  return best;
}

// ---- colour classes -------------------------------------------------------------------------
// Okabe and Ito's palette without black, which colour-blind readers can distinguish, and neutrals.
const OWN = [['#56b4e9', '#10222e'], ['#e69f00', '#10222e'], ['#009e73', '#ffffff'], ['#cc79a7', '#10222e'],
  ['#0072b2', '#ffffff'], ['#f0e442', '#10222e'], ['#d55e00', '#ffffff'], ['#8fa3ad', '#10222e'],
  ['#b8d8c0', '#10222e'], ['#6b5b95', '#ffffff']];
const OTHER = ['#c3ccd2', '#10222e'];
const log2 = (value) => Math.floor(Math.log2(Math.max(1, value)));

/** Classes from names: the most frequent get a colour each, the rest share one. */
function named(nameOf) {
  const tally = new Map();
  for (let i = 0; i < count; i++) {
    if (drawn(i)) tally.set(nameOf(i), (tally.get(nameOf(i)) || 0) + 1);
  }
  const names = [...tally.keys()].sort((a, b) => tally.get(b) - tally.get(a) || (a < b ? -1 : 1));
  const shown = names.length > OWN.length ? names.slice(0, OWN.length - 1) : names;
  const index = new Map(shown.map((name, k) => [name, k]));
  const labels = shown.slice();
  const colours = OWN.slice(0, shown.length);
  if (names.length > shown.length) {
    labels.push('other (' + (names.length - shown.length) + ')');
    colours.push(OTHER);
  }
  const classOf = new Int32Array(count);
  for (let i = 0; i < count; i++) classOf[i] = index.has(nameOf(i)) ? index.get(nameOf(i)) : shown.length;
  return {labels, colours, classOf};
}
function bySize() {
  const classes = data.sizeClasses;
  const classOf = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    let k = classes.length - 1;
    while (k > 0 && data.size[i] < classes[k].from) k--;
    classOf[i] = k;
  }
  return {labels: classes.map((c) => c.label), colours: classes.map((c) => [c.colour, c.ink]), classOf};
}
function byLife() {
  let shortest = Infinity, longest = 1;
  for (let i = 0; i < count; i++) {
    if (!drawn(i)) continue;
    shortest = Math.min(shortest, data.upper[i] - data.lower[i]);
    longest = Math.max(longest, data.upper[i] - data.lower[i]);
  }
  const low = log2(Math.min(shortest, longest));
  const bits = Math.ceil((log2(longest) - low + 1) / data.palette.length) || 1;
  const used = Math.min(data.palette.length, Math.floor((log2(longest) - low) / bits) + 1);
  const classOf = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    classOf[i] = Math.min(used - 1, Math.max(0, Math.floor((log2(data.upper[i] - data.lower[i]) - low) / bits)));
  }
  const labels = [];
  for (let k = 0; k < used; k++) {
    const from = 2 ** (low + k * bits), to = 2 ** (low + (k + 1) * bits) - 1;
    labels.push((from === to ? exact(from) : exact(from) + ' to ' + exact(to)) + (to === 1 ? ' step' : ' steps'));
  }
  return {labels, colours: data.palette.slice(0, used), classOf};
}
/** The part of a name before the last separator; one level below the common prefix is enough to see blocks. */
function blockOf(name) {
  const parts = name.split(/[./]/).filter((part) => part !== '');
  return parts.length > 2 ? parts.slice(0, 2).join('.') : parts.length > 1 ? parts[0] : name;
}
/** What an on-chip buffer holds, always in the same colours. */
const KINDS = data.kinds || ['activation', 'weight', 'scratch'];
const MODES = {
  kind: ['by kind', () => ({labels: KINDS, colours: [['#8ec1ea', '#10222e'], ['#f0b95b', '#10222e'], ['#c3ccd2', '#10222e'], ['#d9897a', '#10222e']].slice(0, KINDS.length),
    classOf: Int32Array.from(data.kind, (kind) => KINDS.indexOf(kind))})],
  type: ['by op type', () => named((i) => ops.producer[i] < 0 ? 'input' : ops.types[ops.type[ops.producer[i]]])],
  block: ['by block', () => named((i) => ops.producer[i] < 0 ? 'input' : blockOf(ops.name[ops.producer[i]]))],
  size: ['by size', bySize],
  life: ['by lifetime', byLife],
  own: ['each its own', () => {
    const classOf = new Int32Array(count);
    for (let i = 0; i < count; i++) classOf[i] = i % OWN.length;
    const labels = OWN.slice(0, Math.min(OWN.length, count)).map((pair, k) => 'buffers ' + exact(k + 1)
        + (k + OWN.length < count ? ', ' + exact(k + 1 + OWN.length) + ' …' : ''));
    return {labels, colours: OWN, classOf};
  }],
};
if (!ops) { delete MODES.type; delete MODES.block; }
if (!data.kind) delete MODES.kind;
if (!data.sizeClasses) { delete MODES.size; delete MODES.life; }
const FIRST_MODE = data.kind ? 'kind' : ops ? 'type' : 'size';
