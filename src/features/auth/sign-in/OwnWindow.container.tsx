import { useConfig } from '@shared/contexts';
import { selectLocation } from '@shared/routing/location.slice';
import { paths } from '@shared/routing/paths';
import { ButtonLink } from '@shared/ui/links';
import { Card } from '@shared/ui/Card';
import { useSelector } from 'react-redux';
import { authMessages } from '../auth.messages';

const words = authMessages.ownWindow;

/** In a frame where no sign-in could be kept, instead of a form that cannot work: the way out of it (decisions §6). */
export function OwnWindow() {
  const { signOnUrl } = useConfig();
  const { search } = useSelector(selectLocation);
  return (
    <Card title={words.title} lead={words.text}>
      <ButtonLink href={new URL(paths.login(search), signOnUrl).href} variant="primary" ownWindow>
        {words.open}
      </ButtonLink>
    </Card>
  );
}
