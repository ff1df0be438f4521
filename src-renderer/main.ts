/** Entry of the page. */
import { mount } from 'svelte';
import App from './App.svelte';
import './fonts.css';
import './tokens.css';
import './base.css';
import { installTrustedTypesPolicy } from './trusted-types.ts';

installTrustedTypesPolicy();

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no element with the id "app".');

export default mount(App, { target });
