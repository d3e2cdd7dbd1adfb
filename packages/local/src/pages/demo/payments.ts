// A payment that the user confirms: on the sign-on page, or in its frame here. The receipt, which the server reads, is the proof.
import { embedSignOn, type Session } from '@vestibule/client';
import { origins, showState } from './demoPage.ts';

const key = 'payment';

export function offerPayments(session: Session): void {
  const ask = async () => {
    const response = await session.fetch('/payment', { method: 'POST' });
    return (await response.json()) as { readonly id: string; readonly url: string };
  };
  const showOutcome = async (id: string) => {
    const response = await fetch(`/payment?id=${encodeURIComponent(id)}`);
    showState('signed-in', (await response.json()) as Readonly<Record<'outcome' | 'heard', string>>);
  };
  const onPress = (name: string, work: () => Promise<void>) =>
    document.querySelector(`[data-${name}]`)?.addEventListener('click', () => void work());

  onPress('pay', async () => {
    const { id, url } = await ask();
    sessionStorage.setItem(key, id);
    location.assign(url);
  });
  onPress('pay-here', async () => {
    const path = new URL((await ask()).url).pathname;
    const onConfirmation = (id: string) => {
      remove();
      void showOutcome(id);
    };
    const { remove } = embedSignOn(document.body, { ...origins, path, onConfirmation });
  });
  const id = sessionStorage.getItem(key);
  if (id !== null && location.search === '?paid') void showOutcome(id);
}
