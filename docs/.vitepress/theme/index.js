// The theme that comes with the generator, in the colours of the window.
import DefaultTheme from 'vitepress/theme';
import './colours.css';

export default DefaultTheme;
