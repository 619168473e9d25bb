import java.awt.List;

class A {}
