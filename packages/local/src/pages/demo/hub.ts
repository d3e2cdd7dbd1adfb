// A sibling application that embeds the sign-on page as well. Its session finds out by itself what the page's messages say.
import { embedSignOn } from '@vestibule/client';
import { listMessage, origins } from './demoPage.ts';
import './ledger.ts';

embedSignOn(document.querySelector('main') ?? document.body, {
  ...origins,
  path: '/login?supplierHub=true',
  onTokens: () => listMessage('new_tokens'),
  onRemoved: () => listMessage('removed_tokens'),
});
