/** Whether a field holds something besides white space, or what the browser shows before scripts may read it. */
export const isFilled = (input: HTMLInputElement): boolean =>
  input.value.trim() !== '' || isAutofilled(input);

function isAutofilled(input: HTMLInputElement): boolean {
  try {
    return input.matches(':autofill');
  } catch {
    // A browser that does not know the selector.
    return false;
  }
}
