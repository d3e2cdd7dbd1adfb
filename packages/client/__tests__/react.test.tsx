import { act, render, screen } from '@testing-library/react';
import { createSession } from '../src/index';
import { useSession } from '../src/react';
import { pair, sessionCookie } from './support/family';

it('shows who is signed in, until somebody signs out', () => {
  const options = { prefix: 'p', serviceUrl: 'http://api.test', signOnUrl: 'http://login.test' };
  document.cookie = `p-session=${encodeURIComponent(sessionCookie(pair()))}; path=/`;
  const session = createSession(options);
  const User = () => <p>{useSession(session)?.firstName ?? 'nobody'}</p>;
  const { unmount } = render(<User />);
  expect(screen.getByText('Ada')).toBeInTheDocument();
  act(() => session.signOut());
  expect(screen.getByText('nobody')).toBeInTheDocument();
  unmount();
});
