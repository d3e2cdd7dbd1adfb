/** The fields that hold a time since the epoch, and the length of its unit, ms. */
const timeUnits: Readonly<Record<string, number>> = { expiresAt: 1, exp: 1000, iat: 1000 };

/** A state as DevTools shows it: its times as ISO 8601. The store keeps the numbers. */
export function readable<T>(value: T): T {
  return spell(value) as T;
}

function spell(value: unknown, name = ''): unknown {
  const unit = timeUnits[name];
  if (typeof value === 'number' && unit !== undefined) return new Date(value * unit).toISOString();
  if (Array.isArray(value)) return value.map((item: unknown) => spell(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, spell(item, key)]));
}

/** The reverse of `readable`, for a state that DevTools has exported. */
export function fromReadable<T>(value: T): T {
  return count(value) as T;
}

function count(value: unknown, name = ''): unknown {
  const unit = timeUnits[name];
  if (typeof value === 'string' && unit !== undefined) return Date.parse(value) / unit;
  if (Array.isArray(value)) return value.map((item: unknown) => count(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, count(item, key)]));
}
