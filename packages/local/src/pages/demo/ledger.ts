// A sibling application: it shows the user of the shared session, as its own server has verified them.
import { createSession } from '@vestibule/client';
import { showState, origins } from './demoPage.ts';
import { offerPayments } from './payments.ts';

const { prefix, domain, extensions } = document.body.dataset as Record<
  'prefix' | 'domain' | 'extensions',
  string
>;
const session = createSession({
  ...{ prefix, domain, ...origins, apiOrigins: [location.origin] },
  extensions: extensions.split(' '),
});

async function show(reason = ''): Promise<void> {
  if (session.current() === null) {
    showState('signed-out', { reason });
    return;
  }
  const response = await session.fetch('/me');
  showState(response.ok ? 'signed-in' : 'refused', (await response.json()) as Record<string, string>);
}

document.querySelector('[data-sign-in]')?.addEventListener('click', (press) => {
  press.preventDefault();
  session.signIn();
});
for (const button of document.querySelectorAll('[data-sign-out]'))
  button.addEventListener('click', session.signOut);
session.subscribe((_event, reason) => void show(reason));
offerPayments(session);
void show();
