import { componentIn, createChunk, createOptionalChunk } from '@shared/chunk';
import { render, screen } from '@testing-library/react';
import { Component, type ReactNode } from 'react';

const Greeting = ({ name }: { readonly name: string }) => <p>Hello {name}</p>;

class Boundary extends Component<{ readonly children: ReactNode }, { readonly message?: string }> {
  static getDerivedStateFromError(error: Error) {
    return { message: error.message };
  }
  override state: { readonly message?: string } = {};
  override render() {
    return this.state.message ?? this.props.children;
  }
}

describe('a screen in a chunk', () => {
  it('is drawn with the first drawing where its code has arrived', async () => {
    const chunk = createChunk(() => Promise.resolve({ Greeting }));
    const Late = componentIn(chunk, (module) => module.Greeting);
    await chunk.load();
    render(<Late name="Ada" />);
    expect(screen.getByText('Hello Ada')).toBeVisible();
  });

  it('is drawn when its code arrives, which is fetched once', async () => {
    const fetch = jest.fn(() => Promise.resolve({ Greeting }));
    const Late = componentIn(createChunk(fetch), (module) => module.Greeting);
    const { container, rerender } = render(<Late name="Ada" />);
    expect(container).toBeEmptyDOMElement();
    expect(await screen.findByText('Hello Ada')).toBeVisible();
    rerender(<Late name="Grace" />);
    expect(screen.getByText('Hello Grace')).toBeVisible();
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it('gives a load that failed to the error boundary, and is fetched again later', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const fetch = jest
      .fn(() => Promise.resolve({ Greeting }))
      .mockRejectedValueOnce(new Error('The code did not come.'));
    const Late = componentIn(createChunk(fetch), (module) => module.Greeting);
    const { unmount } = render(
      <Boundary>
        <Late name="Ada" />
      </Boundary>,
    );
    expect(await screen.findByText('The code did not come.')).toBeVisible();
    unmount();
    render(<Late name="Ada" />);
    expect(await screen.findByText('Hello Ada')).toBeVisible();
  });

  it('is left out where the page can do without it and its code does not come', async () => {
    const chunk = createOptionalChunk(() => Promise.reject<{ Greeting: typeof Greeting }>(new Error('none')));
    const Late = componentIn(chunk, (module) => module.Greeting);
    render(
      <>
        <Late name="Ada" />
        <p>The rest</p>
      </>,
    );
    await expect(chunk.load()).resolves.toEqual({});
    expect(screen.queryByText(/Hello/)).toBeNull();
    expect(screen.getByText('The rest')).toBeVisible();
  });

  it('requests each broken file once more', async () => {
    const broken = (request: string) =>
      Object.assign(new Error('The connection broke.'), { name: 'ChunkLoadError', request });
    const fetch = jest
      .fn(() => Promise.resolve({ Greeting }))
      .mockRejectedValueOnce(broken('/a.js'))
      .mockRejectedValueOnce(broken('/b.js'))
      .mockResolvedValueOnce({ Greeting })
      .mockRejectedValue(broken('/a.js'));
    await expect(createChunk(fetch).load()).resolves.toEqual({ Greeting });
    expect(fetch).toHaveBeenCalledTimes(3);
    await expect(createChunk(fetch).load()).rejects.toThrow('The connection broke.');
    expect(fetch).toHaveBeenCalledTimes(5);
  });
});
