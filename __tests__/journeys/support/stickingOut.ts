/** Runs in a page: what reaches over the sides of the window, or to the right of the box that holds it. */
export function stickingOut(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement;
  const shown = Array.from(document.querySelectorAll<HTMLElement>('header *, main *, dialog *'));
  const over = shown.filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    const holder = element.parentElement?.getBoundingClientRect();
    // What only screen readers see is one pixel wide.
    return (
      width > 1 && (left < 0 || right > clientWidth || (holder !== undefined && right > holder.right + 1))
    );
  });
  return [
    ...(scrollWidth > clientWidth ? ['the page'] : []),
    ...over.map((element) => element.outerHTML.slice(0, 200)),
  ];
}
