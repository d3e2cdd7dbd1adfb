/** A text as Playwright compares it: whole, as a part in any case, or by a pattern. */
export interface Words {
  readonly text?: string;
  readonly exact?: boolean;
  readonly pattern?: readonly [source: string, flags: string];
}

/** One step of a locator. The steps narrow what they find in each other's results, except `or`, which adds to it. */
export type Step =
  | { readonly by: 'css'; readonly selector: string }
  | { readonly by: 'role'; readonly role: string; readonly name?: Words }
  | { readonly by: 'text' | 'label' | 'placeholder'; readonly words: Words }
  | { readonly by: 'containing'; readonly words: Words }
  | { readonly by: 'or'; readonly steps: readonly Step[] }
  | { readonly by: 'place'; readonly place: number };

/** What expectations ask of an element. */
export interface Facts {
  readonly visible: boolean;
  /** How much of it is in the window, of 1. */
  readonly inWindow: number;
  readonly enabled: boolean;
  readonly focused: boolean;
  readonly checked: boolean;
  readonly text: string;
  readonly value: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Roles and accessible names by testing-library, which the page has been given. */
interface Roles {
  readonly queryAllByRole: (
    root: HTMLElement,
    role: string,
    options: { readonly name?: (name: string) => boolean },
  ) => readonly Element[];
}

/**
 * Runs in the page, so it refers to nothing outside itself: the elements that the steps lead to, or their facts; `null` while the
 * page does not have testing-library.
 */
export function findInPage(
  steps: readonly Step[],
  asks: 'elements' | 'facts',
): readonly (Element | Facts)[] | null {
  const roles = (window as unknown as { TestingLibraryDom?: Roles }).TestingLibraryDom;
  if (!roles) return null;
  const normal = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim();
  const matcher = ({ text = '', exact = false, pattern }: Words) => {
    if (pattern) return (found: string) => new RegExp(...pattern).test(normal(found));
    const wanted = normal(text);
    if (exact) return (found: string) => normal(found) === wanted;
    return (found: string) => normal(found).toLowerCase().includes(wanted.toLowerCase());
  };
  const within = (roots: readonly Element[], selector: string) =>
    roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  const textOf = (element: Element) =>
    element instanceof HTMLInputElement && ['button', 'submit', 'reset'].includes(element.type)
      ? element.value
      : element.textContent;
  const labelsOf = (element: Element) => [
    element.getAttribute('aria-label'),
    ...(element.getAttribute('aria-labelledby') ?? '')
      .split(/\s+/)
      .map((id) => document.getElementById(id)?.textContent),
    ...[
      ...(element instanceof HTMLInputElement || element instanceof HTMLSelectElement
        ? (element.labels ?? [])
        : []),
    ].map((label) => label.textContent),
  ];
  const take = (roots: readonly Element[], step: Step): readonly Element[] => {
    switch (step.by) {
      case 'css':
        return within(roots, step.selector);
      case 'role':
        return roots.flatMap((root) => [
          ...roles.queryAllByRole(root as HTMLElement, step.role, {
            ...(step.name ? { name: matcher(step.name) } : {}),
          }),
        ]);
      case 'text': {
        const matches = matcher(step.words);
        const all = within(roots, ':not(script, style, noscript, head, head *)').filter((one) =>
          matches(textOf(one)),
        );
        return all.filter((one) => !all.some((other) => other !== one && one.contains(other)));
      }
      case 'label': {
        const matches = matcher(step.words);
        return within(roots, '*').filter((one) =>
          labelsOf(one).some((label) => typeof label === 'string' && label !== '' && matches(label)),
        );
      }
      case 'placeholder': {
        const matches = matcher(step.words);
        return within(roots, '[placeholder]').filter((one) => matches(one.getAttribute('placeholder') ?? ''));
      }
      case 'containing': {
        const matches = matcher(step.words);
        return roots.filter((one) => matches(textOf(one)));
      }
      case 'or':
        return roots;
      case 'place':
        return roots.slice(step.place).slice(0, 1);
    }
  };
  const follow = (wanted: readonly Step[]): readonly Element[] => {
    let found: readonly Element[] = [document.documentElement];
    for (const step of wanted) {
      found = step.by === 'or' ? [...found, ...follow(step.steps)] : take(found, step);
    }
    return [...new Set(found)];
  };
  const inWindow = (element: Element) => {
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    const across = Math.min(right, innerWidth) - Math.max(left, 0);
    const down = Math.min(bottom, innerHeight) - Math.max(top, 0);
    return width * height === 0 ? 0 : (Math.max(across, 0) * Math.max(down, 0)) / (width * height);
  };
  const factsOf = (element: Element): Facts => ({
    inWindow: inWindow(element),
    visible: element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible',
    enabled: !element.matches(':disabled') && element.closest('[aria-disabled="true"]') === null,
    focused: element === document.activeElement,
    checked: element.matches(':checked') || element.getAttribute('aria-checked') === 'true',
    text: normal(element instanceof HTMLElement ? element.innerText : element.textContent),
    value: (element as Partial<HTMLInputElement>).value ?? '',
    attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
  });
  const found = follow(steps);
  return asks === 'elements' ? found : found.map(factsOf);
}
