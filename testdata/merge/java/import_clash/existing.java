import java.util.List;

class A {}
