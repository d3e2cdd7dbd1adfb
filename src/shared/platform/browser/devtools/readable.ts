/** What a number of this name counts from 1970, in ms. */
const timeUnits: Readonly<Record<string, number>> = { expiresAt: 1, exp: 1000, iat: 1000 };

/** A state or an action as DevTools shows it: its times as ISO 8601. The store keeps the numbers. */
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
