/** A control of a form, which is treated as an input. */
type Field = HTMLInputElement;

/**
 * Remembers the contents of the fields of the page, and which field has the focus.
 *
 * @returns a function that restores them in the forms that have replaced the former ones, if they have the same fields
 */
export function keepForms(): () => void {
  const kept = forms();
  const { activeElement } = document;
  return () => {
    for (const before of kept) {
      const after = forms().find((fields) => namesOf(fields) === namesOf(before)) ?? [];
      // A field that was removed from the page still has its value.
      const pairs = after.map((field) => ({ field, old: formerOf(field, after, before) ?? field }));
      const changed = pairs.filter(({ field, old }) => field.value !== old.value);
      // All values are written before the events, because a handler may read several fields.
      for (const { field, old } of changed) field.value = old.value;
      for (const { field } of changed) sayChanged(field);
      for (const { field, old } of pairs) {
        if (field.checked !== old.checked) field.click();
        if (old === activeElement && old !== field) focusLike(old, field);
      }
    }
  };
}

/** The fields and buttons of each form, and last the fields outside of forms. */
function forms(): Field[][] {
  const fields = Array.from(document.querySelectorAll<Field>('input, select, textarea, form button'));
  return [...document.forms, null].map((owner) => fields.filter(({ form }) => form === owner));
}

/** The names of the fields. Fields that an extension has added usually have no name and are left out. */
function namesOf(fields: readonly Field[]): string {
  const named = fields.filter(({ name }) => name !== '');
  return (named.length > 0 ? named : fields).map(keyOf).join();
}

const keyOf = ({ name, type }: Field): string => name || `:${type}`;

/** Finds the former field: among those with the same key, the one in the same place. */
function formerOf(field: Field, after: readonly Field[], before: readonly Field[]): Field | undefined {
  const key = keyOf(field);
  const place = after.filter((one) => keyOf(one) === key).indexOf(field);
  return before.filter((one) => keyOf(one) === key)[place];
}

/** Dispatches the event of an undo, so that a code is not submitted again. */
function sayChanged(field: Field): void {
  if (!field.readOnly)
    field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'historyUndo' }));
}

function focusLike({ selectionStart, selectionEnd }: Field, field: Field): void {
  field.focus();
  if (typeof selectionStart === 'number') field.setSelectionRange(selectionStart, selectionEnd);
}

/** Removes what React has drawn and could not remove, because it had been moved. */
export function removeFormerPage(): void {
  document.getElementById('root')?.replaceChildren();
}
