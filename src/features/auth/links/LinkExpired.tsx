import { ButtonLink, TextLink } from '@shared/ui/links';
import { Card } from '@shared/ui/Card';
import { authMessages } from '../auth.messages';

interface LinkExpiredProps {
  /** `links.supportEmail` of the configuration. */
  readonly supportEmail: string;
  /** `links.marketingSite` of the configuration. */
  readonly marketingSite: string;
}

/** `/unauthorized` (specification §2). */
export function LinkExpired({ supportEmail, marketingSite }: LinkExpiredProps) {
  const { title, text, support, marketingSite: visit } = authMessages.linkExpired;
  return (
    <Card title={title} lead={text}>
      <p>
        {support} <TextLink href={`mailto:${supportEmail}`}>{supportEmail}</TextLink>
      </p>
      <ButtonLink href={marketingSite} variant="primary">
        {visit}
      </ButtonLink>
    </Card>
  );
}
