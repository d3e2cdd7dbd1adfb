import { useLingui } from '@lingui/react';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { Button } from '@shared/ui/buttons/Button';
import { Card } from '@shared/ui/page/Card';
import { Spinner } from '@shared/ui/buttons/Spinner';
import { TextLink } from '@shared/ui/buttons/links';
import { paths } from '@vestibule/contract/paths';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { useDispatch, useSelector } from 'react-redux';
import { oauthWindowCloseRequested, selectOauthReturn } from './oauthReturn.slice';
import { providerMessages } from './provider.messages';

/** `/oauth-redirect`: shown while the code is posted to the opener, and afterwards if the window cannot close itself. */
export function OauthReturn() {
  const { _ } = useLingui();
  const { phase } = useSelector(selectOauthReturn);
  const dispatch = useDispatch();
  const { title, passing, overTitle, over, close, signIn } = providerMessages.oauthReturn;
  const isOver = phase === 'over';
  const heading = useAutoFocus<HTMLHeadingElement>(isOver);
  const shownTitle = isOver ? overTitle : title;
  return (
    <>
      <ScreenTitle screen={_(shownTitle)} />
      <Card titleRef={heading} title={_(shownTitle)} lead={isOver ? _(over) : undefined}>
        {isOver ? (
          <>
            <Button variant="primary" onClick={() => void dispatch(oauthWindowCloseRequested())}>
              {_(close)}
            </Button>
            {/* For a window that scripts cannot close. /login needs the opener policy of a page load. */}
            <TextLink to={paths.login()} reloadDocument>
              {_(signIn)}
            </TextLink>
          </>
        ) : (
          <Spinner label={_(passing)} />
        )}
      </Card>
    </>
  );
}
