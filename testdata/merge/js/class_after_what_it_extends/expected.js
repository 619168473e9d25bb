const x = 1;

class Base {}

const y = new Base();
