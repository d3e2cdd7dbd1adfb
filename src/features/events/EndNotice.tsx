import { useLingui } from '@lingui/react';
import type { EndReason } from '@features/session';
import { Notice } from '@shared/ui/page/Notice';
import { endNoticeMessages } from './endNotice.messages';

/**
 * Says above the username field why the session ended. It appears together with the form, so that only an `alert` is read
 * aloud.
 */
export function EndNotice({ reason }: { readonly reason: EndReason }) {
  const { _ } = useLingui();
  return <Notice tone="danger">{_(endNoticeMessages[reason])}</Notice>;
}
