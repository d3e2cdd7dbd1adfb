import { TextField } from '@shared/ui/TextField';
import { render, screen } from '@testing-library/react';

const field = () => screen.getByRole('textbox', { name: 'Phone number' });
const tooShort = 'Too short.';

it('what is wrong is said to somebody who is in the field already, and read with the field', () => {
  const { rerender } = render(<TextField label="Phone number" />);
  field().focus();
  // A region that comes in together with its words is not said by every screen reader.
  const region = screen.getByText('', { selector: '[aria-live="polite"]' });
  expect(region).toBeEmptyDOMElement();
  expect(field()).not.toHaveAttribute('aria-describedby');

  rerender(<TextField label="Phone number" error={tooShort} />);
  expect(screen.getByText(tooShort)).toBe(region);
  expect(field()).toHaveFocus();
  expect(field()).toBeInvalid();
  expect(field()).toHaveAccessibleDescription(tooShort);
});
