// What differs between two texts and between two values. Nothing here knows the page.

// Above so many changed lines, what lies between the first and the last is shown as replaced: finding the least takes their square.
const MOST_STEPS = 800;

// The lines of two texts: `[sign, text, line before, line after]`, with ` `, `-` and `+`.
export function lines(before, after) {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const [a, b] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  const steps = shortest(a, b) ?? [...a.map((text) => ['-', text]), ...b.map((text) => ['+', text])];
  const same = (text) => [' ', text];
  let [left, right] = [0, 0];
  return [...old.slice(0, start).map(same), ...steps, ...old.slice(old.length - end).map(same)].map(([sign, text]) => {
    if (sign !== '+') left += 1;
    if (sign !== '-') right += 1;
    return [sign, text, sign === '+' ? null : left, sign === '-' ? null : right];
  });
}

// The shortest way from one list of lines to another (Myers); null if it is longer than anybody would read.
function shortest(a, b) {
  const most = Math.min(a.length + b.length, MOST_STEPS);
  const furthest = new Map([[1, 0]]);
  const trace = [];
  for (let depth = 0; depth <= most; depth += 1) {
    trace.push(new Map(furthest));
    for (let k = -depth; k <= depth; k += 2) {
      let x = k === -depth || (k !== depth && (furthest.get(k - 1) ?? 0) < (furthest.get(k + 1) ?? 0)) ? furthest.get(k + 1) ?? 0 : (furthest.get(k - 1) ?? 0) + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) [x, y] = [x + 1, y + 1];
      furthest.set(k, x);
      if (x >= a.length && y >= b.length) return backwards(a, b, trace);
    }
  }
  return null;
}

function backwards(a, b, trace) {
  const steps = [];
  let [x, y] = [a.length, b.length];
  for (let depth = trace.length - 1; depth >= 0; depth -= 1) {
    const furthest = trace[depth];
    const k = x - y;
    const isDown = k === -depth || (k !== depth && (furthest.get(k - 1) ?? 0) < (furthest.get(k + 1) ?? 0));
    const from = isDown ? k + 1 : k - 1;
    const startX = furthest.get(from) ?? 0;
    const startY = startX - from;
    while (x > startX && y > startY && x > 0 && y > 0) {
      steps.push([' ', a[x - 1]]);
      [x, y] = [x - 1, y - 1];
    }
    if (depth === 0) break;
    if (isDown) steps.push(['+', b[y - 1]]);
    else steps.push(['-', a[x - 1]]);
    [x, y] = [startX, startY];
  }
  return steps.reverse();
}

export const isTree = (value) => value !== null && typeof value === 'object';

// What differs between two values: `{ key, change, old, now, members }`, where `change` is `same`, `changed`, `added` or
// `removed`, and `members` are those of lists and objects that both have. `count` is the number of values that differ.
export function values(key, old, now) {
  if (old === undefined) return { key, change: 'added', now, count: 1 };
  if (now === undefined) return { key, change: 'removed', old, count: 1 };
  if (!isTree(old) || !isTree(now) || Array.isArray(old) !== Array.isArray(now)) {
    const change = Object.is(old, now) ? 'same' : 'changed';
    return { key, change, old, now, count: change === 'same' ? 0 : 1 };
  }
  const members = [...new Set([...Object.keys(old), ...Object.keys(now)])].map((name) => values(name, own(old, name), own(now, name)));
  const count = members.reduce((sum, member) => sum + member.count, 0);
  return { key, change: count ? 'changed' : 'same', old, now, members, count };
}

const own = (value, name) => (Object.hasOwn(value, name) ? value[name] : undefined);

// The objects of two packages: those of one name, class and outer belong together, the first to the first.
export function objects(before, after) {
  const keyed = (list) => {
    const seen = new Map();
    return new Map(list.map((object) => {
      const key = JSON.stringify([object.Type, object.Name, object.Outer ?? null]);
      const count = seen.get(key) ?? 0;
      seen.set(key, count + 1);
      return [`${key} ${count}`, object];
    }));
  };
  const [old, now] = [keyed(before), keyed(after)];
  const title = ({ Name: name, Type: type }) => `${name} (${type})`;
  return [...new Set([...now.keys(), ...old.keys()])].map((key) => values(title(now.get(key) ?? old.get(key)), old.get(key), now.get(key)));
}
