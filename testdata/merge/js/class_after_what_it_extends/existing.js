const x = 1;

class Base {}
