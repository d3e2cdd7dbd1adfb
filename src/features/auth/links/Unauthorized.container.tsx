import { useLingui } from '@lingui/react';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { useConfig } from '@shared/contexts';
import { Card } from '@shared/ui/page/Card';
import { ButtonLink } from '@shared/ui/buttons/ButtonLink';
import { TextLink } from '@shared/ui/buttons/links';
import { linkMessages } from './links.messages';

const words = linkMessages.linkExpired;

/** `/unauthorized`. See docs/behaviour.md#expired-link. */
export function Unauthorized() {
  const { _ } = useLingui();
  const { supportEmail, marketingSite } = useConfig().links;
  return (
    <>
      <ScreenTitle screen={_(words.title)} />
      <Card title={_(words.title)} lead={_(words.text)}>
        <p>
          <span>{`${_(words.support)} `}</span>
          <TextLink to={`mailto:${supportEmail}`} translate="no">
            {supportEmail}
          </TextLink>
        </p>
        <ButtonLink to={marketingSite} reloadDocument variant="primary">
          {_(words.marketingSite)}
        </ButtonLink>
      </Card>
    </>
  );
}
