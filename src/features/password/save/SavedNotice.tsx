import { Card } from '@shared/ui/Card';
import { useTakenFocus } from '@shared/ui/useTakenFocus';
import { passwordMessages } from '../password.messages';

interface SavedNoticeProps {
  readonly title?: string;
  readonly takesFocus: boolean;
  /** Whether the person stays: a change in a parent's frame does not lead to the sign-in. */
  readonly stays?: boolean;
}

/** The password is saved (specification §4); said to screen readers by the focus. */
export function SavedNotice({ title = passwordMessages.saved, takesFocus, stays = false }: SavedNoticeProps) {
  const heading = useTakenFocus<HTMLHeadingElement>(takesFocus);
  const lead = stays ? undefined : passwordMessages.toSignIn;
  return <Card titleRef={heading} title={title} lead={lead} icon="done" />;
}
