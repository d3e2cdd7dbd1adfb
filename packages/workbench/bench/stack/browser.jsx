import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { createPage } from './Page.jsx';

hydrateRoot(document.getElementById('root'), createPage(BrowserRouter));
