import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { selectLocation } from '@shared/routing/location.slice';
import { paths } from '@shared/routing/paths';
import { BackLink } from '@shared/ui/BackLink';
import { Card } from '@shared/ui/Card';
import { useSelector } from 'react-redux';
import { useHref, useNavigate } from 'react-router-dom';
import { authMessages } from '../auth.messages';

/** `/two-auth`: the second step of a sign-in. */
export function EnterCode() {
  const navigate = useNavigate();
  const login = paths.login(useSelector(selectLocation).search);
  const { title, text, backToLogin } = authMessages.challenge;
  return (
    <>
      <ScreenTitle screen={title} />
      <Card
        title={title}
        lead={text}
        above={<BackLink label={backToLogin} href={useHref(login)} onClick={() => void navigate(login)} />}
      />
    </>
  );
}
