// @ts-check
// A parent that embeds the sign-on page: it listens for the two messages and takes them from that origin only.

const { login = '' } = document.body.dataset;
const list = document.querySelector('[data-slot="messages"]');

addEventListener('message', (event) => {
  if (event.origin !== login) return;
  const item = document.createElement('li');
  item.textContent = `${new Date().toLocaleTimeString()} ${String(event.data)}`;
  item.dataset['message'] = String(event.data);
  list?.append(item);
  if (event.data === 'new_tokens' || event.data === 'removed_tokens') {
    dispatchEvent(new Event('vestibule:changed'));
  }
});
