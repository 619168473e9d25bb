import os.path
import os
