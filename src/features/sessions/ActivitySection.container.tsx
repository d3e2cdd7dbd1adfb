import { useLingui } from '@lingui/react';
import { Button } from '@shared/ui/buttons/Button';
import layout from '@shared/ui/layout.module.css';
import { Section } from '@shared/ui/page/WidePage';
import { useNavigate } from 'react-router-dom';
import { activityMessages } from './activity.messages';
import { accountActivity } from './activityPath';

/** The section of the account settings that leads to `/account-activity`. */
export function ActivitySection() {
  const { _ } = useLingui();
  const navigate = useNavigate();
  const { text, review } = activityMessages.section;
  const open = () => void navigate(accountActivity);
  return (
    <Section title={_(activityMessages.title)} actions={<Button onClick={open}>{_(review)}</Button>}>
      <p className={layout['quiet']}>{_(text)}</p>
    </Section>
  );
}
