import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { useConfig } from '@shared/contexts';
import { authMessages } from '../auth.messages';
import { LinkExpired } from './LinkExpired';

/** `/unauthorized`: a link that is invalid or expired. */
export function Unauthorized() {
  const { supportEmail, marketingSite } = useConfig().links;
  return (
    <>
      <ScreenTitle screen={authMessages.linkExpired.title} />
      <LinkExpired supportEmail={supportEmail} marketingSite={marketingSite} />
    </>
  );
}
