// What the demo applications' pages have besides the kit: addresses from the body, slots for text, a list of messages.

/** Addresses of the sign-on page and of the service. */
export const origins = document.body.dataset as { readonly signOnUrl: string; readonly serviceUrl: string };

/** Shows the parts of the page that belong to the state, and fills slots with text; never with markup. */
export function showState(state: string, slots: Readonly<Record<string, string>> = {}): void {
  document.body.dataset['state'] = state;
  for (const [name, text] of Object.entries(slots)) {
    const slot = document.querySelector(`[data-slot="${name}"]`);
    if (slot !== null) slot.textContent = text;
  }
}

/** Adds a message of the sign-on page to the list. */
export function listMessage(message: string): void {
  const item = document.createElement('li');
  item.textContent = `${new Date().toLocaleTimeString()} ${message}`;
  document.querySelector('[data-slot="messages"]')?.append(item);
}
