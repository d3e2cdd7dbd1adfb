import { useConfig } from '@shared/contexts';
import { selectLocation } from '@shared/routing/location.slice';
import { paths } from '@vestibule/contract/paths';
import { ButtonLink } from '@shared/ui/buttons/ButtonLink';
import { Card } from '@shared/ui/page/Card';
import { useSelector } from 'react-redux';
import { ownWindowMessages as words } from './signIn.messages';

/** For a frame whose storage is partitioned: no session could be kept there. See docs/behaviour.md#embedding. */
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
