// A parent of another site: it cannot read the cookies, and knows only what the page's messages say.
import { embedSignOn } from '@vestibule/client';
import { listMessage, origins } from './demoPage.ts';

embedSignOn(document.querySelector('main') ?? document.body, {
  ...origins,
  onTokens: () => listMessage('new_tokens'),
  onRemoved: () => listMessage('removed_tokens'),
});
