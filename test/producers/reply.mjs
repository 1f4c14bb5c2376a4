/** What the model of an agent answers to a prompt, whatever form that has. */
export function reply(prompt) {
  if (prompt.includes('FAIL')) throw new Error('The model is out of order')
  if (prompt.includes('2 kg')) return { text: 'It weighs 2 kg.' }
  if (prompt.includes('How heavy'))
    return { text: 'I weigh it.', tool: { name: 'weigh', input: { item: 'lamp' } } }
  if (!prompt.includes('4711')) return { text: 'Which order is it about?' }
  if (prompt.includes('reading lamp')) return { text: 'Order 4711 is a reading lamp.' }
  return { text: 'I look it up.', tool: { name: 'look_up', input: { order: '4711' } } }
}
