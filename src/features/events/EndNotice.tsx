import type { AnnouncedEnd } from '@features/session';
import { Notice } from '@shared/ui/page/Notice';
import { endNoticeMessages } from './endNotice.messages';

/** Why the session ended, above the Username field. It appears together with the form, so only an `alert` is read aloud. */
export function EndNotice({ reason }: { readonly reason: AnnouncedEnd }) {
  return <Notice tone="danger">{endNoticeMessages[reason]}</Notice>;
}
