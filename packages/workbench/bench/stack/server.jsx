import { renderToString } from 'react-dom/server';
import { createPage } from './Page.jsx';

export const render = () => renderToString(createPage(({ children }) => children));
