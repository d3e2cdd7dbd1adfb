/** Whether the address is at one of these origins. `origin` is not compared, because that of a `blob:` address is its page's. */
export const isAt = (href: string, first: string, others: readonly string[] = []): boolean =>
  [first, ...others].some((url) => href.startsWith(`${new URL(url).origin}/`));

/** @throws TypeError unless the address is at one of these origins */
export function mustBeAt(href: string, first: string, others?: readonly string[]): void {
  if (!isAt(href, first, others)) throw new TypeError(`${href} leads to another site`);
}
