import { Header, PageFrame } from '@shared/ui/page/PageFrame';
import { Notice } from '@shared/ui/page/Notice';
import { fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Dialog } from '@shared/ui/page/Dialog';

describe('the page', () => {
  it('has its landmarks: header, main, footer', () => {
    render(
      <PageFrame look="default" header={<Header label="Payments" />} footer={<footer>Need help?</footer>}>
        <p>Content</p>
      </PageFrame>,
    );
    expect(within(screen.getByRole('banner')).getByText('Payments')).toBeInTheDocument();
    expect(within(screen.getByRole('main')).getByText('Content')).toBeInTheDocument();
    expect(screen.getByRole('contentinfo')).toHaveTextContent('Need help?');
  });

  it('has no empty footer', () => {
    render(<PageFrame look="default">Content</PageFrame>);
    expect(screen.queryByRole('contentinfo')).not.toBeInTheDocument();
  });

  it.each(['default', 'epay'] as const)('marks the %s look for the style sheet', (look) => {
    const { container } = render(<PageFrame look={look}>Content</PageFrame>);
    expect(container).toContainHTML(`data-look="${look}"`);
  });
});

describe('a notice', () => {
  it('is in the document before it has a text, so that it is announced', () => {
    const { rerender } = render(<Notice />);
    const region = screen.getByRole('status');
    expect(region).toBeEmptyDOMElement();
    rerender(<Notice>A new six digit code has been sent to your phone</Notice>);
    expect(region).toHaveTextContent('A new six digit code has been sent to your phone');
  });

  it('interrupts for an error', () => {
    render(<Notice tone="danger">It failed</Notice>);
    expect(screen.getByRole('alert')).toHaveTextContent('It failed');
  });
});

const onConfirm = jest.fn();
const onCancel = jest.fn();

beforeEach(() => {
  onConfirm.mockReset();
  onCancel.mockReset();
});

function renderDialog(choice: { readonly cancelLabel?: string; readonly confirmLabel?: string } = {}) {
  return render(
    <Dialog
      title="Login Error"
      message="No Login Methods available"
      confirmLabel="Ok"
      onConfirm={onConfirm}
      onCancel={onCancel}
      {...choice}
    />,
  );
}

describe('a dialog', () => {
  it('opens as a modal alert with its title and its message', () => {
    const showModal = jest.spyOn(HTMLDialogElement.prototype, 'showModal');
    renderDialog();
    const dialog = screen.getByRole('alertdialog', { name: 'Login Error' });
    expect(dialog).toHaveAccessibleDescription('No Login Methods available');
    expect(showModal).toHaveBeenCalledTimes(1);
    showModal.mockRestore();
  });

  it('focuses the safe choice, which comes first', () => {
    renderDialog({ cancelLabel: 'Cancel', confirmLabel: 'Turn Off 2-Step' });
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Cancel',
      'Turn Off 2-Step',
    ]);
  });

  it('treats Cancel and Esc as no', async () => {
    renderDialog({ cancelLabel: 'Cancel' });
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    // The browser turns Esc into this event.
    fireEvent(screen.getByRole('alertdialog'), new Event('cancel', { cancelable: true }));
    expect(onCancel).toHaveBeenCalledTimes(2);
    expect(onConfirm).not.toHaveBeenCalled();
  });

  it('stays until its caller removes it', () => {
    renderDialog();
    const escape = new Event('cancel', { cancelable: true });
    fireEvent(screen.getByRole('alertdialog'), escape);
    expect(escape.defaultPrevented).toBe(true);
  });

  it('closes while it is still in the document, so that the browser restores the focus', () => {
    let wasConnected: boolean | undefined;
    const close = jest.spyOn(HTMLDialogElement.prototype, 'close').mockImplementation(function (
      this: HTMLDialogElement,
    ) {
      wasConnected = this.isConnected;
    });
    renderDialog().unmount();
    expect(wasConnected).toBe(true);
    close.mockRestore();
  });
});
