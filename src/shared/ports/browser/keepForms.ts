/** As if all of them were inputs. */
type Field = HTMLInputElement;

/**
 * Remembers the fields of the page: what they hold, and which of them has the focus.
 *
 * @returns puts it into the forms that have taken the place of theirs since, where they have the same fields
 */
export function keepForms(): () => void {
  const kept = forms();
  const { activeElement } = document;
  return () => {
    for (const before of kept) {
      const after = forms().find((fields) => namesOf(fields) === namesOf(before)) ?? [];
      // A field that has left the page still has its value.
      const pairs = after.map((field) => ({ field, old: formerOf(field, after, before) ?? field }));
      const changed = pairs.filter(({ field, old }) => field.value !== old.value);
      // All of them first, because a handler may read several.
      for (const { field, old } of changed) field.value = old.value;
      for (const { field } of changed) sayChanged(field);
      for (const { field, old } of pairs) {
        if (field.checked !== old.checked) field.click();
        if (old === activeElement && old !== field) focusLike(old, field);
      }
    }
  };
}

/** The fields and buttons of each form; last the fields outside of a form. */
function forms(): Field[][] {
  const fields = Array.from(document.querySelectorAll<Field>('input, select, textarea, form button'));
  return [...document.forms, null].map((owner) => fields.filter(({ form }) => form === owner));
}

/** Without the fields that an extension has added: those have no name, as a rule. */
function namesOf(fields: readonly Field[]): string {
  const named = fields.filter(({ name }) => name !== '');
  return (named.length > 0 ? named : fields).map(keyOf).join();
}

const keyOf = ({ name, type }: Field): string => name || `:${type}`;

/** Of the fields with the same key, the one in the same place. */
function formerOf(field: Field, after: readonly Field[], before: readonly Field[]): Field | undefined {
  const key = keyOf(field);
  const place = after.filter((one) => keyOf(one) === key).indexOf(field);
  return before.filter((one) => keyOf(one) === key)[place];
}

/** As undo does. What is being submitted is not read again. */
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
