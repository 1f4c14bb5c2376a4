/**
 * Notes on the root element whether the latest input came from a keyboard. A heading that a script
 * focuses has a focus ring only then; see `base.css`.
 */
export function watchInput(root: HTMLElement = document.documentElement): void {
  const note = (input: 'keyboard' | 'pointer') => () => {
    root.dataset['input'] = input
  }
  addEventListener('keydown', note('keyboard'), true)
  // Tab from the browser's own controls into the page sends the page only the keyup.
  addEventListener('keyup', note('keyboard'), true)
  addEventListener('pointerdown', note('pointer'), true)
}
