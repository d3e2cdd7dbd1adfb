/**
 * Remembers the fields of the page: what they hold, and which of them has the focus.
 *
 * @returns puts all of it into the forms that have taken the place of theirs since, where they have the same fields
 */
export function keepForms(): () => void {
  const kept = forms();
  const { activeElement } = document;
  return () => {
    for (const before of kept) {
      if (before[0]?.isConnected === true) continue;
      const fields = forms().find((other) => namesOf(other) === namesOf(before)) ?? [];
      putBack(
        fields.flatMap((field, index) => (before[index] ? [{ field, before: before[index] }] : [])),
        activeElement,
      );
    }
  };
}

/** The fields of each form, as if all of them were inputs, and its buttons, which may have the focus; last those outside of a form. */
function forms(): HTMLInputElement[][] {
  const fields = Array.from(document.querySelectorAll<HTMLInputElement>('input, select, textarea'));
  const inForms = Array.from(document.forms, ({ elements }) => Array.from(elements) as HTMLInputElement[]);
  return [...inForms, fields.filter(({ form }) => form === null)];
}

const namesOf = (fields: readonly HTMLInputElement[]): string => fields.map(({ name }) => name).join();

interface Pair {
  readonly field: HTMLInputElement;
  /** No longer in the page; it still has its value. */
  readonly before: HTMLInputElement;
}

function putBack(pairs: readonly Pair[], activeElement: Element | null): void {
  const changed = pairs.filter(({ field, before }) => field.value !== before.value);
  for (const { field, before } of changed) field.value = before.value;
  // All are written first, because a handler may read several. What is being submitted is not read again.
  for (const { field } of changed)
    if (!field.readOnly)
      field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'historyUndo' }));
  for (const { field, before } of pairs) {
    if (field.checked !== before.checked) field.click();
    if (before !== activeElement) continue;
    field.focus({ preventScroll: true });
    if (typeof before.selectionStart === 'number')
      field.setSelectionRange(before.selectionStart, before.selectionEnd);
  }
}
