/** Entry of the page: its language first, so that every view finds its texts in it. */
import { mount } from 'svelte';
import './fonts.css';
import './tokens.css';
import './base.css';
import { speak } from './state/language.ts';
import { installTrustedTypesPolicy } from './trusted-types.ts';

installTrustedTypesPolicy();

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no element with the id "app".');

void speak().then(async () => {
  const { default: App } = await import('./App.svelte');
  mount(App, { target });
});
