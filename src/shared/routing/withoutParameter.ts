/** A query without one of its parameters; what stays is written as it was. */
export function withoutParameter(search: string, name: string): string {
  const kept = search
    .slice(1)
    .split('&')
    .filter((part) => !new URLSearchParams(part).has(name))
    .join('&');
  return kept && `?${kept}`;
}
