/** @jest-environment node */
import { FatalNotice } from '@app/crash/Fallback.container';
import { MethodStep } from '@features/auth/sign-in/MethodStep';
import { UsernameStep } from '@features/auth/sign-in/UsernameStep';
import { Dialog } from '@shared/ui/page/Dialog';
import { Header, PageFrame } from '@shared/ui/page/PageFrame';
import { renderToString as toHtml } from 'react-dom/server';

const nothing = (): void => undefined;

describe('without a browser', () => {
  it('runs where there is none', () => {
    expect(globalThis).not.toHaveProperty('window');
    expect(globalThis).not.toHaveProperty('document');
  });

  it('the first step of the sign-in is rendered', () => {
    const html = toHtml(
      <PageFrame look="default" header={<Header label="Payments" />}>
        <UsernameStep
          username=""
          rememberMe={false}
          busy={false}
          takesFocus
          onFirstInput={nothing}
          onSubmit={nothing}
        />
      </PageFrame>,
    );
    expect(html).toContain('autoComplete="username"');
    expect(html).toContain('Next');
  });

  it('everything else that the sign-in may show is rendered', () => {
    const html = toHtml(
      <>
        <MethodStep
          username="ada"
          methods={['basic', 'google', 'microsoft']}
          busy={null}
          failures={0}
          takesFocus
          forgotHref="/forgot-password"
          onBack={nothing}
          onForgot={nothing}
          onPassword={nothing}
          onProvider={nothing}
          provider={null}
          onAbandonProvider={nothing}
        />
        <Dialog title="Login Error" message="m" confirmLabel="Ok" onConfirm={nothing} onCancel={nothing} />
        <FatalNotice message="An unexpected error occurred." />
      </>,
    );
    for (const text of ['Sign In', 'Sign in with Google', 'Login Error', 'An unexpected error occurred.']) {
      expect(html).toContain(text);
    }
  });

  it('no inline style is written into the page, which its policy would block', () => {
    const html = toHtml(<PageFrame look="epay">Content</PageFrame>);
    expect(html).not.toMatch(/<style|style=/);
  });
});
