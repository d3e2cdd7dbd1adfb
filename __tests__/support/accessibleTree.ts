import { computeAccessibleDescription, computeAccessibleName, getRole } from 'dom-accessibility-api';

/** States and properties that are announced; their values as they are written. */
const announced = [
  ...['busy', 'checked', 'current', 'disabled', 'expanded', 'haspopup', 'invalid', 'live', 'modal'],
  ...['pressed', 'readonly', 'required', 'selected', 'valuemax', 'valuemin', 'valuenow', 'valuetext'],
].map((name) => `aria-${name}`);

/**
 * What a screen reader can tell of a page: a line for each role with its name, description, states and value, and for each
 * text, indented as they contain each other. Without the focus. jsdom applies no style sheet: what only CSS hides is told.
 */
export function accessibleTree(page: Element): string {
  return [`"${page.ownerDocument.title}"`, ...linesOf(page, '')].join('\n');
}

function linesOf(node: Node, indent: string): string[] {
  if (node.nodeType === node.TEXT_NODE) {
    const text = (node.textContent ?? '').trim();
    return text === '' ? [] : [`${indent}"${text}"`];
  }
  if (!(node instanceof Element) || isHidden(node)) return [];
  const role = getRole(node);
  const isTold = role !== null && !['generic', 'none', 'presentation'].includes(role);
  const children = [...node.childNodes].flatMap((child) => linesOf(child, isTold ? `${indent}  ` : indent));
  return isTold ? [`${indent}${role} ${wordsOf(node)}`, ...children] : children;
}

function isHidden(element: Element): boolean {
  if (element instanceof HTMLDialogElement && !element.open) return true;
  return (
    element.hasAttribute('hidden') ||
    element.hasAttribute('inert') ||
    element.getAttribute('aria-hidden') === 'true' ||
    (element instanceof HTMLElement && element.style.display === 'none')
  );
}

function wordsOf(element: Element): string {
  const states = announced.flatMap((name) => {
    const value = element.getAttribute(name);
    return value === null ? [] : [`${name}=${value}`];
  });
  const about = computeAccessibleDescription(element);
  return [
    JSON.stringify(computeAccessibleName(element)),
    ...(about === '' ? [] : [`(${about})`]),
    ...states,
    ...valuesOf(element),
  ].join(' ');
}

/** What the element itself contains, besides its attributes. */
function valuesOf(element: Element): string[] {
  if (element instanceof HTMLHeadingElement) return [`level=${element.tagName.slice(1)}`];
  if (element instanceof HTMLAnchorElement) return [`to=${element.getAttribute('href') ?? ''}`];
  if (element instanceof HTMLButtonElement) return element.disabled ? ['disabled'] : [];
  if (!(element instanceof HTMLInputElement || element instanceof HTMLSelectElement)) return [];
  const { value, disabled, required } = element;
  const isChecked = element instanceof HTMLInputElement && element.checked;
  return [
    `value=${JSON.stringify(value)}`,
    ...(isChecked ? ['checked'] : []),
    ...(disabled ? ['disabled'] : []),
    ...(required ? ['required'] : []),
  ];
}
