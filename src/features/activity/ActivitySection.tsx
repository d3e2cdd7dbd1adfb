import { Button } from '@shared/ui/buttons/Button';
import layout from '@shared/ui/layout.module.css';
import { Section } from '@shared/ui/page/WidePage';
import { activityMessages } from './activity.messages';

/** The section of the account settings that leads to `/account-activity`. */
export function ActivitySection({ onReview }: { readonly onReview: () => void }) {
  const { text, review } = activityMessages.section;
  return (
    <Section title={activityMessages.title} actions={<Button onClick={onReview}>{review}</Button>}>
      <p className={layout['quiet']}>{text}</p>
    </Section>
  );
}
